import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import { chosenUid, devicePrefix } from '#web/app/device-memory.ts';

/** Encrypted JSON. */
type Sealed = { iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer };
/** A waiting item. `version` changes with every write. */
export type QueueRow = Sealed & { id: string; version: string };

interface DeviceSchema extends DBSchema {
  /** The user's key under the name `key`. It cannot be exported. */
  key: { key: string; value: CryptoKey };
  queue: { key: string; value: QueueRow };
  /** What pages need without network. Only the public content of the site is in plain text. */
  kept: { key: string; value: unknown };
}

/** What this device keeps for one user. */
export type Device = {
  readonly uid: string;
  readonly db: IDBPDatabase<DeviceSchema>;
  seal(name: string, value: unknown): Promise<Sealed>;
  /** @throws when the data is damaged, or was sealed under another name */
  open(name: string, sealed: Sealed): Promise<unknown>;
};

const algorithm = { name: 'AES-GCM', length: 256 } as const;
const makeKey = () => crypto.subtle.generateKey(algorithm, false, ['encrypt', 'decrypt']);

/**
 * Finds out whether this browser can keep a key that cannot be exported. Some private windows cannot. Leaves
 * nothing on the device.
 */
export async function canKeepKey(): Promise<boolean> {
  const name = `${devicePrefix}-probe-${crypto.randomUUID()}`;
  let db: IDBPDatabase | undefined;
  try {
    if (!('locks' in navigator)) return false;
    db = await openDB(name, 1, { upgrade: (created) => void created.createObjectStore('key') });
    await db.put('key', await makeKey(), 'key');
    const key: CryptoKey = await db.get('key', 'key');
    const iv = new Uint8Array(12);
    await crypto.subtle.encrypt({ name: algorithm.name, iv }, key, iv);
    return !key.extractable;
  } catch {
    return false;
  } finally {
    db?.close();
    await deleteDB(name).catch(() => {});
  }
}

const devices = new Map<string, Promise<Device>>();

/**
 * Opens the database of a user on this device, and makes the user's key if there is none. The opt-in calls
 * this before `chooseDevice`; everything else calls `findDevice`.
 * @throws when the browser blocks storage, or the storage is full
 */
export function openDevice(uid: string): Promise<Device> {
  let device = devices.get(uid);
  if (!device) {
    device = connect(uid);
    devices.set(uid, device);
    device.catch(() => devices.delete(uid));
  }
  return device;
}

/** @returns undefined if the user has not chosen this device, because opening creates a database */
export async function findDevice(uid: string): Promise<Device | undefined> {
  if (chosenUid() !== uid) return undefined;
  const device = await openDevice(uid);
  if (chosenUid() === uid) return device;
  // Another tab has erased the device meanwhile.
  device.db.close();
  await deleteDB(device.db.name);
  return undefined;
}

async function connect(uid: string): Promise<Device> {
  const db = await openDB<DeviceSchema>(`${devicePrefix}-${uid}`, 1, {
    upgrade(created) {
      created.createObjectStore('key');
      created.createObjectStore('queue', { keyPath: 'id' });
      created.createObjectStore('kept');
    },
    // Another tab erases the device.
    blocking: () => close(),
    terminated: () => close(),
  });
  function close() {
    devices.delete(uid);
    db.close();
  }

  const made = await makeKey();
  const keys = db.transaction('key', 'readwrite', { durability: 'strict' });
  let key = await keys.store.get('key');
  // Another tab may have stored its key meanwhile.
  if (!key) {
    key = made;
    await keys.store.put(made, 'key');
  }
  await keys.done;

  const cipher = (iv: Uint8Array<ArrayBuffer>, name: string) => ({
    name: algorithm.name,
    iv,
    // Sealed data cannot be moved to another user or name.
    additionalData: new TextEncoder().encode(`${uid} ${name}`),
  });
  return {
    uid,
    db,
    async seal(name, value) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const text = new TextEncoder().encode(JSON.stringify(value));
      return { iv, data: await crypto.subtle.encrypt(cipher(iv, name), key, text) };
    },
    async open(name, { iv, data }) {
      const text = await crypto.subtle.decrypt(cipher(iv, name), key, data);
      return JSON.parse(new TextDecoder().decode(text));
    },
  };
}

/** Counts the entries and deletions that wait to be sent, also the refused ones. */
export async function countWaiting(uid: string): Promise<number> {
  return (await (await findDevice(uid))?.db.count('queue')) ?? 0;
}
