"""The pictures of the reports, as SVG."""
