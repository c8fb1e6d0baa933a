import { type RefObject, useEffect, useRef } from "react";

/** Whether this part of the page is still there. A person may leave it before an answer arrives or a change is undone. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
