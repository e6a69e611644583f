"""Plain data -> terminal page, Markdown, HTML, JSON."""
