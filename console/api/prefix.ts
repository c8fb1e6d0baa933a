/**
 * The path below which a proxy serves the whole service; empty where it has the host to itself. The server writes it
 * into the page.
 */
export const prefix = document.querySelector('meta[name="prefix"]')?.getAttribute("content") ?? "";
