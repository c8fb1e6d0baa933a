import menu from "lucide/dist/esm/icons/menu.mjs";
import search from "lucide/dist/esm/icons/search.mjs";
import { useState } from "react";
import { useMembership } from "../api/workspace.ts";
import { Icon } from "../kit/icon.tsx";
import { Modal } from "../kit/modal.tsx";
import { words } from "../words/en.ts";
import { BrowserSettings, WorkspacePicker } from "./account.tsx";
import { KillSwitch } from "./kill-switch.tsx";
import { Navigation, PhoneLinks } from "./navigation.tsx";

interface PhoneBarProps {
  onGoTo: () => void;
  onKillSwitch: (isStopped: boolean) => void;
}

/** The bar at the bottom of a phone: the most used pages, and a sheet with everything that the sidebar has. */
export function PhoneBar({ onGoTo, onKillSwitch }: PhoneBarProps) {
  const isMember = useMembership() !== null;
  const [isOpen, setOpen] = useState(false);
  const leaving =
    <T extends readonly unknown[]>(then: (...values: T) => void) =>
    (...values: T) => {
      setOpen(false);
      then(...values);
    };
  return (
    <header className="phone-bar">
      {isMember && <PhoneLinks />}
      <button type="button" className="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon of={menu} />
        {words.frame.menu}
      </button>
      {isOpen && (
        <Modal title={words.frame.menu} isSheet onClose={() => setOpen(false)}>
          <WorkspacePicker />
          {isMember && (
            <>
              <button type="button" className="go-to" onClick={leaving(onGoTo)}>
                <Icon of={search} />
                {words.frame.goTo}
              </button>
              <Navigation hasPages={false} onOpen={() => setOpen(false)} />
            </>
          )}
          <div className="foot">
            <KillSwitch onPress={leaving(onKillSwitch)} />
            <BrowserSettings />
            <button type="button" onClick={() => setOpen(false)}>
              {words.close}
            </button>
          </div>
        </Modal>
      )}
    </header>
  );
}
