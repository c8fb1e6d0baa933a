import { words } from "../words/en.ts";

/** A line that says that data is being read, without moving anything on the page. */
export function Looking({ isLooking }: { isLooking: boolean }) {
  return (
    <p className="looking" role="status">
      {isLooking ? words.looking : ""}
    </p>
  );
}
