import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { isNamed } from "../../domain/fold.ts";
import { useWorkspaceId } from "../api/path-id.ts";
import { Icon } from "../kit/icon.tsx";
import { Modal } from "../kit/modal.tsx";
import { pathTo, To } from "../kit/to.tsx";
import { goToWords as says } from "../words/en/frame.ts";
import { words } from "../words/en.ts";
import { useRooms } from "./navigation.tsx";

/** Opens a page by its name: Enter opens the first one found, and the arrow keys move through all of them. */
export function GoToDialog({ onClose }: { onClose: () => void }) {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState("");
  const pages = useRooms().rooms.flatMap((room) =>
    room.pages.map(({ name, page }) => ({ name, page, icon: room.icon, room: room.name })),
  );
  const found = pages.filter(({ name, room }) => isNamed(typed, [name, room]));
  const go = (event: FormEvent) => {
    event.preventDefault();
    const [first] = found;
    if (first === undefined) return;
    onClose();
    void navigate({ to: pathTo(workspaceId, first.page) });
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    if (step === undefined || links.length === 0) return;
    event.preventDefault();
    const at = links.findIndex((link) => link.matches(":focus"));
    links.at((at < 0 && step < 0 ? links.length : at + step + links.length) % links.length)?.focus();
  };
  return (
    <Modal title={words.frame.goTo} onClose={onClose}>
      <form onSubmit={go} onKeyDown={move}>
        <input
          className="palette-input"
          aria-label={says.name}
          placeholder={says.hint}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <ul ref={list} className="palette">
          {found.map(({ name, page, icon, room }) => (
            <li key={page}>
              <To page={page} onOpen={onClose}>
                <Icon of={icon} />
                {name}
                {room !== name && <span className="fine">{room}</span>}
              </To>
            </li>
          ))}
        </ul>
        <p className="fine" role="status">
          {found.length === 0 ? words.nothingFound : ""}
        </p>
      </form>
    </Modal>
  );
}
