import { words } from "../words/en.ts";

/** A line that says that something is being read, without moving anything. */
export function Looking({ isLooking }: { isLooking: boolean }) {
  return (
    <p className="looking" role="status">
      {isLooking ? words.looking : ""}
    </p>
  );
}
