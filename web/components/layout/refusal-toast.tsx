import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { Refusal } from '#web/app/visit.ts';
import { useToast } from '../toast.tsx';

const sentences = {
  admin: ['Entre para abrir a administração.', 'A sua conta não abre essa parte da administração.'],
  editor: ['Entre para abrir a administração.', 'A sua conta não abre a administração.'],
  member: ['Entre para abrir a página Pro.', 'A sua conta ainda não abre essa página.'],
};

/** The sentence for a visitor whom a guard has redirected. */
export const refusalSentence = ({ role, signedIn }: Refusal) => sentences[role][signedIn ? 1 : 0] ?? '';

/** Tells the visitor why a guard has redirected to this page. */
export function RefusalToast({ refusal }: { refusal: Refusal }) {
  const notify = useToast();
  const navigate = useNavigate();
  useEffect(
    () =>
      notify(refusalSentence(refusal), {
        plain: true,
        ...(!refusal.signedIn && { action: { label: 'Entrar', run: () => void navigate('/login') } }),
      }),
    [refusal, notify, navigate],
  );
  return null;
}
