import { useEffect, useRef } from "react";
import { prefix } from "../api/prefix.ts";
import { useSignal } from "../api/signal.ts";
import { theme } from "../frame/theme.ts";

interface MailFrameProps {
  /** The frame's name for screen readers. */
  title: string;
  html: string;
  /** The label of the button that opens a quote in the email. */
  quoted: string;
  /** Whether images are loaded, only by https: the sender learns that the email was opened. */
  hasImages: boolean;
}

const [LOWEST_PX, TALLEST_PX] = [48, 20_000];

/**
 * Shows an email's HTML in a frame with an opaque origin (rules/console 1.4). The HTML is sent to the frame as a
 * message, and the frame reports its height.
 */
export function MailFrame({ title, html, quoted, hasImages }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const chosen = useSignal(theme);
  const scheme = chosen === "auto" ? "light dark" : chosen;
  const shown = useRef({ html, quoted, scheme });
  shown.current = { html, quoted, scheme };
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      const inside = frame.current?.contentWindow;
      if (inside === null || inside === undefined || source !== inside) return;
      const told = readMessage(data);
      if (told === "ready") inside.postMessage(shown.current, "*");
      else if (typeof told === "number") frame.current?.style.setProperty("height", `${told}px`);
      else if (told !== null) openOutside(told);
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);
  useEffect(() => {
    // A message to an opaque origin can only be addressed to "*"; by the page's policy only our own pages can be in the
    // frame
    frame.current?.contentWindow?.postMessage({ html, quoted, scheme }, "*");
  }, [html, quoted, scheme]);
  const source = `${prefix}/console/mail-frame${hasImages ? "?images=1" : ""}`;
  return <iframe key={source} ref={frame} className="mail-frame" title={title} sandbox="allow-scripts" src={source} />;
}

/** What the frame may report: that it is ready, its height, and which link a person followed. */
function readMessage(data: unknown): "ready" | number | URL | null {
  if (typeof data !== "object" || data === null || !("kind" in data)) return null;
  if (data.kind === "ready") return "ready";
  if (data.kind === "height" && "height" in data && typeof data.height === "number") {
    return Math.min(TALLEST_PX, Math.max(LOWEST_PX, data.height));
  }
  return data.kind === "link" && "href" in data && typeof data.href === "string" ? URL.parse(data.href) : null;
}

function openOutside(address: URL): void {
  if (address.protocol === "https:" || address.protocol === "http:")
    window.open(address, "_blank", "noopener,noreferrer");
  else if (address.protocol === "mailto:" || address.protocol === "tel:") location.assign(address);
}
