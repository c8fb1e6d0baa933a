import { lazy, Suspense } from "react";
import { passwordAsked } from "../api/session.ts";
import { useSignal } from "../api/signal.ts";

/** Loaded when it is wanted: most visits need no password. */
const PasswordForm = lazy(async () => ({ default: (await import("./password-form.tsx")).PasswordForm }));

/** Asks for the password when something weighs much, then lets whoever asked go on. */
export function PasswordDialog() {
  const answer = useSignal(passwordAsked);
  if (answer === null) return null;
  return (
    <Suspense fallback={null}>
      <PasswordForm onDone={answer} />
    </Suspense>
  );
}
