import { type RefObject, useLayoutEffect, useRef, useState } from "react";

const USUAL = 720;

/** How wide a picture may be, in pixels: drawn at its own size, its letters stay readable on a phone. */
export function useWidth(): [place: RefObject<HTMLElement | null>, width: number] {
  const place = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(USUAL);
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    const measure = () => setWidth(Math.max(1, Math.floor(current.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [place, width];
}
