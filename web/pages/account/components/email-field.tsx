import { type FieldState, TextField } from '#web/components/form/field.tsx';

/** @param autoComplete `username` where the email address names an existing account, for password managers */
export function EmailField(props: FieldState & { autoComplete: 'username' | 'email' }) {
  return <TextField {...props} label="Email" type="email" inputMode="email" />;
}
