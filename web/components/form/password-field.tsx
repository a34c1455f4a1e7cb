import { useState } from 'react';
import { useHydrated } from '../use-hydrated.ts';
import styles from './field.module.css';
import { controlProps, FieldFrame, type InputProps } from './field.tsx';

/** A password field with a button that shows the password. */
export function PasswordField({ autoComplete, inputMode, ...field }: InputProps) {
  const [shown, setShown] = useState(false);
  const scripted = useHydrated();
  return (
    <FieldFrame
      {...field}
      input={
        <div className={styles.revealer}>
          <input
            {...controlProps(field)}
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
