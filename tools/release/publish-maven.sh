#!/usr/bin/env bash
# Signs the artifacts of release/packages/maven by gpg, and hands them to Maven Central as one bundle, which it checks and publishes.
# Needs MAVEN_GPG_KEY (an armored secret key), MAVEN_GPG_PASSPHRASE and CENTRAL_TOKEN (user:password in base64); prints none of them.
# CENTRAL_URL names another server, for tests.
set -euo pipefail
cd "${1:-release/packages}/maven"
GNUPGHOME=$(mktemp -d)
export GNUPGHOME
trap 'rm -rf "$GNUPGHOME"' EXIT
gpg --batch --quiet --import <<<"$MAVEN_GPG_KEY"
find . -type f \( -name '*.jar' -o -name '*.pom' \) -print0 | sort -z | while IFS= read -r -d '' file; do
  gpg --batch --quiet --yes --pinentry-mode loopback --passphrase-fd 3 --armor --detach-sign "$file" 3<<<"$MAVEN_GPG_PASSPHRASE"
done
bundle="$GNUPGHOME/central.zip"
zip --quiet --recurse-paths "$bundle" org
# The header comes by a file, because arguments are in the list of processes.
curl --fail-with-body --silent --show-error --header @<(printf 'Authorization: Bearer %s\n' "$CENTRAL_TOKEN") \
  --form "bundle=@$bundle" "${CENTRAL_URL:-https://central.sonatype.com}/api/v1/publisher/upload?publishingType=AUTOMATIC"
