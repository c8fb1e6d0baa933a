import { type ComponentProps, useRef, useState } from "react";
import { Field } from "../../kit/field.tsx";

interface NumberFieldProps extends Pick<ComponentProps<typeof Field>, "label" | "hint" | "name"> {
  min: number;
  max: number;
  /** Whether the number may have a fraction. */
  isWhole: boolean;
  value: number;
  onChange: (value: number) => void;
}

/**
 * A number. Each key is taken over. If the field is left with a value outside its limits, the number that it had before
 * holds again.
 */
export function NumberField({ isWhole, value, onChange, ...field }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const before = useRef(value);
  const isValid = ({ value, validity }: HTMLInputElement) => value !== "" && validity.valid;
  return (
    <Field
      {...field}
      type="number"
      step={isWhole ? 1 : "any"}
      value={typed ?? String(value)}
      onFocus={() => {
        before.current = value;
      }}
      onBlur={({ currentTarget }) => {
        if (!isValid(currentTarget)) onChange(before.current);
        setTyped(null);
      }}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        if (isValid(currentTarget)) onChange(Number(currentTarget.value));
      }}
    />
  );
}
