import { useState } from 'react';
import { useHydrated } from '../use-hydrated.ts';
import styles from './field.module.css';
import { controlProps, FieldLayout, type InputProps } from './field.tsx';

/**
 * A password field with a button that shows the password.
 * @param rules the attribute `passwordrules` of a field for a new password
 */
export function PasswordField({ autoComplete, inputMode, rules, ...field }: InputProps & { rules?: string }) {
  const [shown, setShown] = useState(false);
  const scripted = useHydrated();
  return (
    <FieldLayout
      {...field}
      input={
        <div className={styles.password}>
          <input
            {...controlProps(field)}
            {...(rules !== undefined && { passwordrules: rules })}
            type={shown ? 'text' : 'password'}
            autoComplete={autoComplete}
            inputMode={inputMode}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
          <button
            type="button"
            disabled={!scripted}
            aria-controls={field.id}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            Mostrar<span className="visually-hidden"> senha</span>
          </button>
        </div>
      }
    />
  );
}
