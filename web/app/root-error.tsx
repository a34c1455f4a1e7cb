import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { codeMissingSentence, hasCode } from '#client/client-error.ts';
import { ErrorView } from '../components/layout/error-view.tsx';
import { Loading } from '../components/layout/loading.tsx';
import { SiteLayout } from '../components/layout/site-layout.tsx';
import { isCodeMissing, reloadIfReplaced, reloadPage } from './reload-after-deploy.ts';

/** The page for an unexpected error. It shows a sentence for users and never the error itself. */
export function RootError() {
  const error = useRouteError();
  const codeMissing = isCodeMissing(error);
  const [checking, setChecking] = useState(codeMissing);

  useEffect(() => {
    if (!codeMissing) return;
    void reloadIfReplaced().then((reloading) => setChecking(reloading));
  }, [codeMissing]);

  if (checking) return <Loading />;
  return (
    <SiteLayout>
      <ErrorView again={() => reloadPage()}>{sentenceOf(error)}</ErrorView>
    </SiteLayout>
  );
}

function sentenceOf(error: unknown): string {
  if (isCodeMissing(error)) return codeMissingSentence();
  if (hasCode(error, 'client/offline')) return error.message;
  return 'Algo deu errado do nosso lado. Você pode tentar de novo ou voltar ao início.';
}
