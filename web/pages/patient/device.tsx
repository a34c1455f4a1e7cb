import { useCallback, useEffect, useState } from 'react';
import { chosenUid } from '#web/app/device-memory.ts';
import { useSession } from '#web/app/services.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/layout/messages.tsx';
import { Link } from '#web/components/link.tsx';
import {
  canUseOffline,
  findReadiness,
  type KeptPractice,
  listAudio,
  listKeptPractices,
  type SavedAudio,
} from '#web/offline/device.ts';
import { countWaiting } from '#web/offline/store.ts';
import { PatientFrame } from './components/patient-page.tsx';
import { SavedAudios } from './device/audios.tsx';
import { ChooseDevice } from './device/choose.tsx';
import { EraseDevice } from './device/erase.tsx';
import { Install } from './device/install.tsx';
import { Kept } from './device/kept.tsx';
import styles from './device.module.css';

/** What this device keeps. */
type DeviceState = {
  /** The user who has chosen this device. */
  uid: string;
  waiting: number;
  practices: KeptPractice[];
  isReady: boolean;
  hasNight: boolean;
  audios: SavedAudio[];
};

/** The page about use without network. It needs no account: a user can erase a device after a sign-out. */
export function Component() {
  const session = useSession();
  const [device, setDevice] = useState<DeviceState | 'none'>();
  const read = useCallback(async () => setDevice(await readDevice()), []);
  useEffect(() => void read(), [read]);
  const changed = async () => {
    await read();
    // The button that had the focus is gone.
    document.querySelector('main')?.focus();
  };

  if (session.status === 'loading' || device === undefined) return <Loading />;
  const uid = session.status === 'signed-in' ? session.session.user.uid : undefined;
  return (
    <PatientFrame
      title="Neste aparelho"
      lead="Sem sinal, às duas da manhã, ainda abrem aqui as práticas para a noite, os áudios guardados e o diário."
    >
      {device === 'none' ? (
        <NotChosen uid={uid} onChosen={changed} />
      ) : (
        <>
          {uid !== undefined && uid !== device.uid && <OtherUser waiting={device.waiting} />}
          <Kept own={uid === device.uid} {...device} onChange={read} />
          <SavedAudios audios={device.audios} onChange={read} />
          <Install />
          <EraseDevice waiting={device.waiting} onErased={changed} />
        </>
      )}
      <p className={styles.note}>
        Mais em <Link to="/privacidade#aparelho">Privacidade</Link>.
      </p>
    </PatientFrame>
  );
}

async function readDevice(): Promise<DeviceState | 'none'> {
  const uid = chosenUid();
  if (uid === undefined || !canUseOffline()) return 'none';
  const [waiting, practices, readiness, audios] = await Promise.all([
    countWaiting(uid).catch(() => 0),
    listKeptPractices().catch(() => []),
    findReadiness().catch(() => ({ isReady: false, hasNight: false })),
    listAudio().catch(() => []),
  ]);
  return { uid, waiting, practices, ...readiness, audios };
}

function NotChosen({ uid, onChosen }: { uid: string | undefined; onChosen: () => Promise<void> }) {
  if (!canUseOffline())
    return <p>Este navegador não sabe guardar o site para usar sem internet. Nada foi guardado.</p>;
  if (uid === undefined)
    return (
      <>
        <p>Para usar sem internet neste aparelho, entre na sua conta.</p>
        <p>
          <ButtonLink to="/login?para=aparelho">Entrar</ButtonLink>
        </p>
      </>
    );
  return <ChooseDevice uid={uid} onChosen={onChosen} />;
}

/** Another user has chosen this device. Their name is not shown. */
function OtherUser({ waiting }: { waiting: number }) {
  return (
    <p className={styles.other}>
      {waiting > 0
        ? 'Neste aparelho esperam anotações de outra conta. Só essa conta pode enviá-las. Para usar o aparelho com a sua, é preciso apagar tudo.'
        : 'Outra conta usa este aparelho sem internet. Para usá-lo com a sua, apague tudo primeiro.'}
    </p>
  );
}
