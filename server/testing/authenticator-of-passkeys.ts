import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyChallenge,
  PasskeyInput,
  PasskeySetUp,
} from '#contract/sign-in/passkeys.ts';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** What a test may change about the responses of the authenticator. */
type Changes = { origin?: string; rpId?: string; verified?: boolean; counter?: number };

/** An authenticator in software that holds one passkey (ECDSA with P-256), as a browser uses it. */
export function createAuthenticator(origin: string) {
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let uses = 0;

  const clientData = (type: string, challenge: string, { origin: other }: Changes) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: Buffer.from(challenge).toString('base64url'),
        origin: other ?? origin,
      }),
    );
  /** WebAuthn, section 6.1: hash of the RP id, flags, counter. */
  const authData = (rpId: string, flags: number, { rpId: other, verified = true, counter }: Changes) => {
    const data = Buffer.alloc(37);
    sha256(other ?? rpId).copy(data);
    data.writeUInt8(flags | 0x01 | (verified ? 0x04 : 0), 32);
    data.writeUInt32BE(counter ?? uses, 33);
    return data;
  };

  return {
    create({ challenge, rpId }: PasskeySetUp, changes: Changes = {}): PasskeyInput['credential'] {
      const attested = Buffer.concat([
        authData(rpId, 0x40, changes),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKeyOf(publicKey),
      ]);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(attested),
      ]);
      return {
        id: id.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', challenge, changes).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      };
    },

    sign({ challenge, rpId }: PasskeyChallenge, changes: Changes = {}): PasskeyAssertion {
      uses += 1;
      const client = clientData('webauthn.get', challenge, changes);
      const data = authData(rpId, 0, changes);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return {
        id: id.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      };
    },
  };
}

const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
const cborBytes = (bytes: Buffer) => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);

/** Writes the key in COSE (RFC 9053): kty EC2, alg ES256, crv P-256, x, y. */
function coseKeyOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ]);
}
