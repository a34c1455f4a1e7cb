import type { FieldState } from '#web/components/form/field.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';

/** A field for a new password, with the rule that it must meet. */
export function NewPasswordField(props: FieldState & { label: string }) {
  return (
    <PasswordField
      {...props}
      hint="Pelo menos 8 caracteres, apenas letras e números."
      autoComplete="new-password"
    />
  );
}
