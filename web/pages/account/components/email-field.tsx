import { type FieldState, TextField } from '#web/components/form/field.tsx';

/** @param autoComplete `username` tells password managers that the email address is an account's user name */
export function EmailField(props: FieldState & { autoComplete: 'username' | 'email' }) {
  return <TextField {...props} label="Email" type="email" inputMode="email" />;
}
