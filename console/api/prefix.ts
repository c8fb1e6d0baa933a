/**
 * The path at which a proxy serves the whole service; empty if the service has its own host name. The server writes it
 * into the page.
 */
export const prefix = document.querySelector('meta[name="prefix"]')?.getAttribute("content") ?? "";
