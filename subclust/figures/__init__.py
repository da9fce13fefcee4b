"""Plotly figures from records; no Streamlit."""
