import type { Role } from "../../../domain/access/roles.ts";
import type { Refusal } from "../../api/refusal.ts";
import { Select } from "../../kit/field.tsx";
import { ROLE_MAY } from "../../words/en/access/roles.ts";
import { ROLE } from "../../words/states.ts";

interface RoleChoiceProps {
  label: string;
  roles: readonly Role[];
  value: Role;
  refusal: Refusal | null;
  onPick: (role: Role) => void;
}

/** A role, with what it lets somebody do. */
export function RoleChoice({ label, roles, value, refusal, onPick }: RoleChoiceProps) {
  return (
    <Select
      label={label}
      name="role"
      value={value}
      hint={ROLE_MAY[value]}
      refusal={refusal}
      options={roles.map((role) => ({ value: role, text: ROLE[role] }))}
      onPick={(picked) => {
        const role = roles.find((one) => one === picked);
        if (role !== undefined) onPick(role);
      }}
    />
  );
}
