"""What the pages share; the only importer of Streamlit."""
