import { OPT_OUT_CATEGORIES } from "../../../domain/inbox/category.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useSignal } from "../../api/signal.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { categoryWord } from "../../words/en/categories.ts";
import { inboxWords as says } from "../../words/en/inbox.ts";
import { words } from "../../words/en.ts";
import { dropMove, type Move, moves, tryAgain, undo, undoable } from "./sorting.ts";

/**
 * Offers to undo the last decision, and shows decisions that did not reach the server until they do or a person
 * discards them.
 */
export function Undo() {
  const workspaceId = useWorkspaceId();
  const mine = useSignal(moves).filter((move) => move.workspaceId === workspaceId);
  const last = undoable(mine);
  const refused = mine.filter(({ state }) => state === "REFUSED");
  return (
    <div className="undoing">
      {refused.map((move) => (
        <div key={move.id} className="alert bad">
          <p>
            {says.kept} {sentenceOf(move)}
          </p>
          {move.refusal !== null && <RefusalAlert refusal={move.refusal} again={() => tryAgain(move)} />}
          <button type="button" onClick={() => dropMove(move.id)}>
            {words.dismiss}
          </button>
        </div>
      ))}
      <div role="status">
        {last !== undefined && (
          <div className="toast">
            <span>{sentenceOf(last)}</span>
            <button type="button" className="quiet" aria-keyshortcuts={says.undoKey} onClick={() => undo(last)}>
              {says.undo}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

function sentenceOf({ deed, who }: Move): string {
  if ("flag" in deed) return says.done[deed.flag](who);
  const word = categoryWord(deed.category);
  return OPT_OUT_CATEGORIES.includes(deed.category) ? says.suppresses(who, word) : says.categorised(who, word);
}
