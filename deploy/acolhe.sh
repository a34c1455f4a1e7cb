#!/bin/sh
# Runs one of the operator's commands as the server's user, with the server's settings and most of its sandbox.
# Installed as /usr/local/sbin/acolhe. `acolhe backup list` is `npm run backup -- list` of the installed version.
set -eu

commands='admin backup check import move restore site'
name=${1:-}
case " $commands " in
  *" $name "*) ;;
  *) name='' ;;
esac
if [ -z "$name" ]; then
  echo "Escreva assim: sudo acolhe COMANDO, com um destes: $commands" >&2
  exit 1
fi
if [ "$(id -u)" != 0 ]; then
  echo "Digite com sudo: sudo acolhe $*" >&2
  exit 1
fi
shift
# systemd holds the port of the server, also while the server is stopped.
if [ "$name" = check ] && systemctl --quiet is-active acolhe.socket; then set -- --socket "$@"; fi

# With a terminal, a command can ask questions. A script has no terminal, so the command gets a pipe.
if [ -t 0 ] && [ -t 1 ]; then io=--pty; else io=--pipe; fi
# Without a description, the log would contain the arguments, and with them the password in the URL of a database.
exec systemd-run --quiet --collect --wait "$io" --description="acolhe $name" \
  --property=User=acolhe --property=Group=acolhe --property=UMask=0077 \
  --property=NoNewPrivileges=yes --property=CapabilityBoundingSet= --property=ProtectSystem=full \
  --property=WorkingDirectory=/opt/acolhe/current \
  --property=EnvironmentFile=/etc/acolhe/acolhe.env \
  --setenv=NODE_ENV=production --setenv=DATA_DIR=/var/lib/acolhe --setenv=TERM="${TERM:-dumb}" \
  -- /opt/acolhe/current/node_modules/.bin/node "commands/$name.ts" "$@"
