import { useState } from 'react';
import type { Issue } from '#contract/newsletter.ts';
import { paths } from '#contract/paths.ts';
import { Button } from '#web/components/button.tsx';
import styles from './mail-preview.module.css';

const themes = { light: 'E-mail claro', dark: 'E-mail escuro' } as const;
type Theme = keyof typeof themes;

/** Shows a saved issue as a mail, in the light or the dark theme. */
export function MailPreview({ issue: { id, revision } }: { issue: Pick<Issue, 'id' | 'revision'> }) {
  const [theme, setTheme] = useState<Theme>('light');
  return (
    <div className={styles.mail}>
      {/* biome-ignore lint/a11y/useSemanticElements: two buttons need no fieldset. */}
      <div className={styles.themes} role="group" aria-label="Tema da prévia">
        {(Object.keys(themes) as Theme[]).map((name) => (
          <Button
            key={name}
            size="small"
            variant="quiet"
            aria-pressed={theme === name}
            onClick={() => setTheme(name)}
          >
            {themes[name]}
          </Button>
        ))}
      </div>
      <iframe
        // A frame does not notice that its page has changed.
        key={`${theme} ${revision}`}
        className={styles.frame}
        title={`Prévia: ${themes[theme]}`}
        src={`${paths.documents.issueTask(id, 'mail')}?theme=${theme}`}
        sandbox=""
      />
    </div>
  );
}
