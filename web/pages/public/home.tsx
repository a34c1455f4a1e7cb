import { lazy, Suspense, useState } from 'react';
import type { LoaderFunctionArgs } from 'react-router';
import { loadChunk } from '#client/load-chunk.ts';

import { reloadIfReplaced } from '#web/app/reload-after-deploy.ts';
import { contentLoader, useContent } from '#web/app/services.ts';
import { visit } from '#web/app/visit.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Hero } from './home/hero.tsx';

type Module = typeof import('./home/below-the-fold.tsx');
let belowTheFold: Module | undefined;

async function loadBelowTheFold(): Promise<Module> {
  belowTheFold ??= await loadChunk('public/home', () => import('./home/below-the-fold.tsx'));
  return belowTheFold;
}

const loadTexts = contentLoader('home', 'questions', 'arrangement');

export async function loader(args: LoaderFunctionArgs) {
  await Promise.all([
    loadTexts(args),
    // After a client-side navigation, the page renders all sections at once, so it needs their code now.
    loadBelowTheFold(),
  ]);
  return null;
}

/**
 * In a prerendered page, the code of the sections below the fold loads at the first interaction. Until then,
 * React leaves their HTML as it is.
 */
const LaterBelowTheFold = lazy(async () => {
  await firstInteraction;
  try {
    return { default: (await loadBelowTheFold()).BelowTheFold };
  } catch {
    await reloadIfReplaced();
    // Without the code, keep the prerendered HTML. A pending promise stops React from replacing it.
    return new Promise<never>(() => {});
  }
});

export function Component() {
  const home = useContent('home');
  const questions = useContent('questions');
  const arrangement = useContent('arrangement');
  const [BelowTheFold] = useState(() => belowTheFold?.BelowTheFold ?? LaterBelowTheFold);
  const [HomeNotice, setHomeNotice] = useState(() => visit.homeNotice);
  function closeNotice() {
    visit.homeNotice = undefined;
    setHomeNotice(undefined);
    document.querySelector('main')?.focus();
  }
  return (
    <>
      <PageTitle title={home.title} description={home.description} path="/" />
      {HomeNotice && <HomeNotice onClose={closeNotice} />}
      <Hero texts={home.hero} />
      <Suspense>
        <BelowTheFold home={home} questions={questions} arrangement={arrangement} />
      </Suspense>
    </>
  );
}

const events = ['scroll', 'pointermove', 'pointerdown', 'keydown', 'focusin', 'click'] as const;

/**
 * Resolves at the first interaction. Some parts of a prerendered page load their code only after this moment.
 * Resolves immediately on the server and when the user has already interacted.
 */
const firstInteraction: Promise<void> = new Promise((resolve) => {
  if (typeof window === 'undefined' || hasInteracted()) return resolve();
  function end() {
    for (const event of events) window.removeEventListener(event, end);
    resolve();
  }
  for (const event of events) window.addEventListener(event, end, { passive: true });
});

/** True if the page is already scrolled, its URL has a fragment, or an element has the focus. */
function hasInteracted(): boolean {
  const focused = document.activeElement;
  return window.scrollY > 0 || window.location.hash !== '' || (focused !== null && focused !== document.body);
}
