import { Info } from 'lucide-react';
import { type FocusEvent, useState } from 'react';
import type { FieldState } from '#web/components/form/field.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';

/** A new password once more. What differs from it is said beside it, and never in the way. */
export function ConfirmationField({
  label,
  password,
  ...field
}: FieldState & { label: string; password: string }) {
  const [left, setLeft] = useState(false);
  // While it is being typed, a beginning that fits is no difference yet.
  const differs = field.value !== '' && (left ? field.value !== password : !password.startsWith(field.value));

  return (
    <PasswordField
      {...field}
      onLeave={(event: FocusEvent) => {
        setLeft(true);
        field.onLeave(event);
      }}
      label={label}
      autoComplete="new-password"
      required={false}
      note={
        differs && (
          <>
            <Info /> As duas senhas estão diferentes. Vale conferir; a que conta é a primeira.
          </>
        )
      }
    />
  );
}
