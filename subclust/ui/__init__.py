"""What the pages share; with app.py and pages the only importer of Streamlit."""
