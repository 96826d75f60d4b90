# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Sphinx configuration: builds the driver's pages without a DPDK tree around them.

The pages under nics/ use nothing of this file but the "console" lexer, so that
they can also be read by the configuration of a DPDK tree.
"""

import configparser
import pathlib

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

try:
    import sphinx_rtd_theme  # noqa: F401

    html_theme = "sphinx_rtd_theme"
except ImportError:
    html_theme = "alabaster"

GUIDES = pathlib.Path(__file__).resolve().parent

project = "net/bcm4908"
author = "The net/bcm4908 authors"
release = version = (GUIDES.parent.parent / "VERSION").read_text(encoding="utf-8").strip()
extensions = []
master_doc = root_doc = "index"
highlight_language = "none"
html_show_copyright = False
html_show_sourcelink = False
numfig = True


class Features(SphinxDirective):
    """Table of the [Features] section of an .ini file, named beside the document."""

    required_arguments = 1

    def run(self):
        """Return the table."""
        _, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(path)
        config = configparser.ConfigParser()
        config.optionxform = str
        with open(path, encoding="utf-8") as f:
            config.read_file(f)
        group = nodes.tgroup(cols=2)
        group += [nodes.colspec(colwidth=30), nodes.colspec(colwidth=10)]
        body = nodes.tbody()
        for feature, value in config.items("Features"):
            row = nodes.row()
            for text in (feature, value):
                row += nodes.entry("", nodes.paragraph(text=text))
            body += row
        group += body
        return [nodes.table("", group)]


def setup(app):
    """Add what the pages use."""
    app.add_directive("features", Features)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
