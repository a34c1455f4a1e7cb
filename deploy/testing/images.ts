import { copyFile, cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { findMissingForImages } from '#checks/test-machine.ts';
import { run } from './run.ts';

/** The settings of an image, with Docker's names. */
export type ImageSettings = {
  User: string;
  WorkingDir: string;
  Env: string[];
  Cmd: string[];
  Volumes: Record<string, object>;
  Labels: Record<string, string>;
  StopSignal?: string;
  Healthcheck: { Test: string[] };
};

export type ImageStore = {
  /** Builds an image. @param args arguments of `buildah build`, the folder with the sources last */
  build(name: string, args: string[]): Promise<void>;
  settingsOf(image: string): Promise<ImageSettings>;
  /** Unpacks an image, and returns the folder. */
  unpack(image: string): Promise<string>;
  remove(): Promise<void>;
};

/** Images for `BUILD_IMAGE` and `BASE_IMAGE` of deploy/Dockerfile, which tests cannot download. */
export const buildImage = 'localhost/acolhe-test-build';
export const baseImage = 'localhost/acolhe-test-base';

/** Returns a sentence that says why this machine cannot build images; false if it can. */
export function whyNoImages(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'A imagem só pode ser montada sem Docker no Linux, como root.';
  const missing = findMissingForImages();
  return missing.length > 0 && `Para montar a imagem: sudo apt-get install ${missing.join(' ')}`;
}

/** Makes an empty store of images in a temporary folder. It needs no kernel features and no service. */
export async function openImageStore(): Promise<ImageStore> {
  const folder = await mkdtemp(join(tmpdir(), 'acolhe-images-'));
  const place = [
    '--root',
    join(folder, 'images'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'vfs',
  ];
  const buildah = (...args: string[]) => run('buildah', [...place, ...args]);
  return {
    async build(name, args) {
      // Docker's format, because the OCI format has no health check.
      const options = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--tag', name];
      await buildah('build', ...options, ...args);
    },
    async settingsOf(image) {
      const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', image)) as {
        Docker: { config: ImageSettings };
      };
      return Docker.config;
    },
    async unpack(image) {
      const container = (await buildah('from', '--pull-never', image)).trim();
      return (await buildah('mount', container)).trim();
    },
    async remove() {
      await buildah('rm', '--all');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Makes an image of Debian like `debian:12-slim`, and from it an image with the Node and npm that run the
 * tests, like `node:…-bookworm-slim`.
 */
export async function makeBaseImages(store: ImageStore): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'acolhe-base-'));
  try {
    await run('mmdebstrap', ['--quiet', '--variant=minbase', 'bookworm', join(folder, 'debian.tar')]);
    await writeFile(join(folder, 'Base'), 'FROM scratch\nADD debian.tar /\n');
    await store.build(baseImage, ['--file', join(folder, 'Base'), folder]);
    await copyFile(process.execPath, join(folder, 'node'));
    await cp(await findNpm(), join(folder, 'npm'), { recursive: true, dereference: true });
    // Adds certificates, because this machine may be behind a proxy with a certificate authority of its own.
    const certificates = process.env.NODE_EXTRA_CA_CERTS;
    if (certificates) await copyFile(certificates, join(folder, 'certificates'));
    else await writeFile(join(folder, 'certificates'), rootCertificates.join('\n'));
    await writeFile(join(folder, 'Build'), buildDockerfile);
    await store.build(buildImage, ['--file', join(folder, 'Build'), folder]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const buildDockerfile = `FROM ${baseImage}
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/npm
COPY certificates /etc/certificates
ENV NODE_EXTRA_CA_CERTS=/etc/certificates
RUN chmod 755 /usr/local/bin/node && ln -s ../lib/npm/bin/npm-cli.js /usr/local/bin/npm && chmod 755 /usr/local/lib/npm/bin/npm-cli.js
`;

/**
 * Returns the folder of the npm that started the tests. If npm did not start them, returns the folder of the
 * npm on the PATH.
 */
async function findNpm(): Promise<string> {
  const cli = process.env.npm_execpath ?? (await run('sh', ['-c', 'command -v npm'])).trim();
  return dirname(dirname(await realpath(cli)));
}

/** Returns npm's cache on this machine, so that a build in a test downloads only what is new. */
export async function findNpmCache(): Promise<string> {
  const cache = (await run('npm', ['config', 'get', 'cache'])).trim();
  await mkdir(cache, { recursive: true });
  return cache;
}
