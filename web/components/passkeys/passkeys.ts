import type {
  PasskeyAssertion,
  PasskeyChallenge,
  PasskeyInput,
  PasskeySetUp,
} from '#contract/sign-in/passkeys.ts';

/** The user has closed the browser's dialog, or it has timed out. */
export class PasskeyCancelled extends Error {}

export const passkeysSupported = () => typeof PublicKeyCredential !== 'undefined';

/** True if the browser can offer passkeys in the list of a field with `autocomplete="webauthn"`. */
export async function offersPasskeysInFields(): Promise<boolean> {
  return passkeysSupported() && Boolean(await PublicKeyCredential.isConditionalMediationAvailable?.());
}

const encode = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const decode = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const toDescriptors = (credentials: PasskeyChallenge['credentials']): PublicKeyCredentialDescriptor[] =>
  credentials.map(({ id, transports }) => ({
    type: 'public-key',
    id: decode(id),
    transports: transports as AuthenticatorTransport[],
  }));

async function ask(pending: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await pending.catch((cause: unknown) => {
    const name = cause instanceof DOMException ? cause.name : '';
    throw name === 'NotAllowedError' || name === 'AbortError'
      ? new PasskeyCancelled('The user has chosen no passkey.', { cause })
      : cause;
  });
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyCancelled('There is no passkey.');
  return credential;
}

/**
 * Asks the browser for a passkey. Without credentials in the challenge, it offers all of this site.
 * @param inField offers the passkeys in a field instead of a dialog, until the signal aborts
 * @throws PasskeyCancelled
 */
export async function askForPasskey(
  { challenge, rpId, credentials }: PasskeyChallenge,
  inField?: { signal: AbortSignal },
): Promise<PasskeyAssertion> {
  const { id, response } = await ask(
    navigator.credentials.get({
      publicKey: {
        challenge: new TextEncoder().encode(challenge),
        rpId,
        allowCredentials: toDescriptors(credentials),
        userVerification: 'required',
      },
      ...(inField && { ...inField, mediation: 'conditional' as CredentialMediationRequirement }),
    }),
  );
  const { clientDataJSON, authenticatorData, signature } = response as AuthenticatorAssertionResponse;
  return {
    id,
    clientDataJSON: encode(clientDataJSON),
    authenticatorData: encode(authenticatorData),
    signature: encode(signature),
  };
}

/** Asks the browser to create a passkey. @throws PasskeyCancelled */
export async function createPasskey({
  challenge,
  rpId,
  rpName,
  user,
  credentials,
}: PasskeySetUp): Promise<PasskeyInput['credential']> {
  const { id, response } = await ask(
    navigator.credentials.create({
      publicKey: {
        challenge: new TextEncoder().encode(challenge),
        rp: { id: rpId, name: rpName },
        user: { ...user, id: decode(user.id) },
        // Ed25519, ECDSA with P-256, RSA with SHA-256: what the server accepts.
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: toDescriptors(credentials),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      },
    }),
  );
  const { clientDataJSON, attestationObject, getTransports } = response as AuthenticatorAttestationResponse;
  return {
    id,
    clientDataJSON: encode(clientDataJSON),
    attestationObject: encode(attestationObject),
    transports: getTransports?.call(response) ?? [],
  };
}
