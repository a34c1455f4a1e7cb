import { type FocusEvent, useState } from 'react';
import type { FieldState } from '#web/components/form/field.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { Info } from '#web/components/notice.tsx';

/** A field for typing a new password again. It warns if the two differ, but never blocks a submit. */
export function ConfirmationField({
  label,
  password,
  ...field
}: FieldState & { label: string; password: string }) {
  const [left, setLeft] = useState(false);
  // While the user types, show no difference as long as the text is a prefix of the password.
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
            <Info /> <span>As duas senhas estão diferentes. Vale conferir; a que conta é a primeira.</span>
          </>
        )
      }
    />
  );
}
