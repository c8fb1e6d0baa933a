import { words } from "../words/en.ts";

/** Grey bars in the place of rows that are being loaded for the first time. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className="skeleton" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => index).map((index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** A status line for loading data. It takes the same space when it is empty, so nothing on the page moves. */
export function Looking({ isLooking }: { isLooking: boolean }) {
  return (
    <p className="looking" role="status">
      {isLooking ? words.looking : ""}
    </p>
  );
}
