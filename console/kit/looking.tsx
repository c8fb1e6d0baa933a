import { words } from "../words/en.ts";

/** A status line for loading data. It takes the same space when it is empty, so nothing on the page moves. */
export function Looking({ isLooking }: { isLooking: boolean }) {
  return (
    <p className="looking" role="status">
      {isLooking ? words.looking : ""}
    </p>
  );
}
