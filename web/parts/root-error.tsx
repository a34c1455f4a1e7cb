import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { ChunkLoadError, reloadIfReplaced } from '../load-chunk.ts';
import { ErrorView } from './error-view.tsx';
import { Frame } from './frame.tsx';
import { Loading } from './loading.tsx';

/** What a person sees when a page breaks. The error itself goes to the console, never on the page. */
export function RootError() {
  const error = useRouteError();
  const chunkMissing = error instanceof ChunkLoadError;
  const [checking, setChecking] = useState(chunkMissing);

  useEffect(() => {
    if (!chunkMissing) return;
    void reloadIfReplaced().then((reloading) => setChecking(reloading));
  }, [chunkMissing]);

  if (checking) return <Loading />;
  return (
    <Frame>
      <ErrorView>
        {chunkMissing
          ? 'Uma parte do site não carregou. Confira a internet e tente de novo.'
          : 'Algo deu errado do nosso lado. Você pode tentar de novo ou voltar ao início.'}
      </ErrorView>
    </Frame>
  );
}
