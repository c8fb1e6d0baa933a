import { Outlet } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { passwordAsked, sessionEnded } from "../api/session.ts";
import { useSignal } from "../api/signal.ts";
import { Toasts } from "../kit/toast.tsx";
import { fetchDialogs, PasswordForm, SignedOutDialog } from "./dialogs.ts";

/** Rendered around every page. */
export function Root() {
  const isEnded = useSignal(sessionEnded);
  /** Set while a sensitive action waits for the password. */
  const onPassword = useSignal(passwordAsked);
  useEffect(fetchDialogs, []);
  return (
    <>
      <Outlet />
      <Toasts />
      <Suspense fallback={null}>
        {isEnded && <SignedOutDialog />}
        {onPassword !== null && <PasswordForm onDone={onPassword} />}
      </Suspense>
    </>
  );
}
