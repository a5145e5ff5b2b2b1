"""What importers share: texts made readable, tables, safe XML, trees of PCIe, and the document that comes of it."""
