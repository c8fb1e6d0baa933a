import { type ReactNode, useState } from "react";

interface OpensProps {
  summary: (isOpen: boolean) => ReactNode;
  isOpenFirst?: boolean;
  children: ReactNode;
}

/** A `<details>` whose content is rendered only while it is open, so many closed ones cost the page nothing. */
export function Opens({ summary, isOpenFirst = false, children }: OpensProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary(isOpen)}</summary>
      {isOpen && children}
    </details>
  );
}
