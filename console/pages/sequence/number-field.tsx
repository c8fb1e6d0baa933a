import { type ComponentProps, useState } from "react";
import { Field } from "../../kit/field.tsx";

interface NumberFieldProps extends Pick<ComponentProps<typeof Field>, "label" | "hint" | "name"> {
  min: number;
  max: number;
  /** Whether the number may have a fraction. */
  isWhole: boolean;
  value: number;
  onChange: (value: number) => void;
}

/** A number. A value outside its limits is not taken over, and the field shows the number that holds when it is left. */
export function NumberField({ isWhole, value, onChange, ...field }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field
      {...field}
      type="number"
      step={isWhole ? 1 : "any"}
      value={typed ?? String(value)}
      onBlur={() => setTyped(null)}
      onChange={({ currentTarget: { value, validity } }) => {
        setTyped(value);
        if (value !== "" && validity.valid) onChange(Number(value));
      }}
    />
  );
}
