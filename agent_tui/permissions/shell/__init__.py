"""A shell line taken apart: its simple commands, what they run, read and write.

May import: ``protocol``, the files of ``permissions`` below ``policy``, tree-sitter (behind the door in ``parse.py``).
Must not: run anything, look at the file system.
"""
