import { Outlet } from "@tanstack/react-router";
import { Toasts } from "../kit/toast.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { SignedOutDialog } from "./signed-out-dialog.tsx";

/** What is there on every page, whatever it is. */
export function Root() {
  return (
    <>
      <Outlet />
      <Toasts />
      <SignedOutDialog />
      <PasswordDialog />
    </>
  );
}
