import { type ReactNode, useState } from "react";

interface OpensProps {
  summary: (isOpen: boolean) => ReactNode;
  isOpenFirst?: boolean;
  children: ReactNode;
}

/** A `<details>` element whose content is rendered only while it is open, so that many closed ones cost little. */
export function Opens({ summary, isOpenFirst = false, children }: OpensProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary(isOpen)}</summary>
      {isOpen && children}
    </details>
  );
}
