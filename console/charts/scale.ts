import { type RefObject, useLayoutEffect, useRef, useState } from "react";

const LINES = 4;

/** Round numbers from 0 to at least `most`, about five of them. */
export function scaleOf(most: number): number[] {
  const rough = most / LINES;
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((size) => size >= rough) ?? unit;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

const USUAL = 720;

/**
 * Measures the available width in pixels. A chart drawn at this width is not scaled, so its text stays readable on a
 * phone.
 */
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
