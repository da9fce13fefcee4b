"""QS3M: Kashyapi and Dietz, Query-specific Subtopic Clustering, JCDL 2022."""
