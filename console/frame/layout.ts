import { useSyncExternalStore } from "react";
import { signalOf, useSignal } from "../api/signal.ts";
import { keep, readKept, SIDEBAR } from "./kept.ts";

/** Narrower windows show a bar at the bottom in place of the sidebar. `style.css` has the same width. */
const phone = matchMedia("(max-width: 47.99rem)");
/** In wider windows the sidebar is open unless a person has closed it. */
const wide = matchMedia("(min-width: 64rem)");

/** "open" or "closed" once a person has chosen; null before. */
const chosen = signalOf(readKept(SIDEBAR));

export function useIsPhone(): boolean {
  return useMedia(phone);
}

/** Whether the sidebar shows names beside its icons, and a function that changes this. */
export function useSidebar(): [isOpen: boolean, toggle: () => void] {
  const isWide = useMedia(wide);
  const state = useSignal(chosen);
  const isOpen = state === null ? isWide : state === "open";
  const toggle = () => {
    const next = isOpen ? "closed" : "open";
    chosen.set(next);
    keep(SIDEBAR, next);
  };
  return [isOpen, toggle];
}

function useMedia(media: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => media.matches,
  );
}
