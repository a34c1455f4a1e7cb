import { Keyboard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { mainAxes } from '#contract/axes.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { newActivityPath } from './activity/activity-paths.ts';

import styles from './shortcuts.module.css';

const keys: { key: string; what: string }[] = [
  { key: '/', what: 'Procurar na lista' },
  { key: 'n', what: 'Nova Act' },
  { key: '?', what: 'Mostrar estes atalhos' },
];
const otherKeys: { key: string; what: string }[] = [
  { key: 'Ctrl+Z', what: 'Desfazer a última exclusão' },
  { key: 'Enter', what: 'Sobre o botão Mover: pegar e soltar uma prática' },
  { key: '↑ ↓', what: 'Mover a prática que você pegou' },
  { key: 'Esc', what: 'Cancelar a mudança, fechar uma janela' },
];

/**
 * Single-key shortcuts for the search and for a new activity, with a button that explains them. The user can
 * turn them off (WCAG 2.1.4), because speech input can press keys unintentionally.
 */
export function Shortcuts() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [on, setOn] = useState(readSetting);
  const [helping, setHelping] = useState(false);

  useEffect(() => {
    if (!on) return;
    function press(event: KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey, repeat, defaultPrevented } = event;
      if (ctrlKey || metaKey || altKey || repeat || defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('dialog:modal')) return;
      if (key === '/') focusSearch();
      else if (key === 'n') void navigate(newActivityFrom(pathname));
      else if (key === '?') setHelping(true);
      else return;
      // Without this, the browser types the key into the newly focused field.
      event.preventDefault();
    }
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [on, navigate, pathname]);

  return (
    <>
      <IconButton label="Atalhos do teclado" className={styles.button} onClick={() => setHelping(true)}>
        <Keyboard />
      </IconButton>
      {helping && (
        <Dialog
          title="Atalhos do teclado"
          size="narrow"
          onClose={() => setHelping(false)}
          footer={<Button onClick={() => setHelping(false)}>Fechar</Button>}
        >
          <dl className={styles.keys} data-off={on ? undefined : ''}>
            {keys.map(keyLine)}
          </dl>
          <dl className={styles.keys}>{otherKeys.map(keyLine)}</dl>
          <label className={styles.setting}>
            <input
              type="checkbox"
              checked={on}
              onChange={({ target }) => {
                setOn(target.checked);
                writeSetting(target.checked);
              }}
            />
            Usar os atalhos de uma tecla só
          </label>
        </Dialog>
      )}
    </>
  );
}

const keyLine = ({ key: name, what }: { key: string; what: string }) => (
  <div key={name}>
    <dt>
      <kbd>{name}</kbd>
    </dt>
    <dd>{what}</dd>
  </div>
);

function focusSearch() {
  const box = document.querySelector<HTMLInputElement>('main input[type="search"]');
  box?.focus();
  box?.select();
}

function newActivityFrom(pathname: string): string {
  const list = mainAxes.find((axis) => pathname === `/admin/${axis}`);
  return list ? newActivityPath(list) : '/admin/newact';
}

const settingKey = 'acolhe:shortcuts';

function readSetting(): boolean {
  try {
    return localStorage.getItem(settingKey) !== 'off';
  } catch {
    return true;
  }
}

function writeSetting(on: boolean) {
  try {
    if (on) localStorage.removeItem(settingKey);
    else localStorage.setItem(settingKey, 'off');
  } catch {
    // The browser blocks storage: the setting lasts until the page is closed.
  }
}

/** Input types that take no text. */
const withoutText = /^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/;

/**
 * True if a key press in this element types text, or chooses in a `select`. The page's shortcuts ignore such
 * key presses.
 */
export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !withoutText.test(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('select, textarea'));
}
