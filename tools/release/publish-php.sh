#!/usr/bin/env bash
# Pushes sdk/php with its history, and the tag, to a repository of its own, because Packagist reads repositories with composer.json at their root.
# Needs PHP_REPOSITORY (an address by https) and PHP_REPOSITORY_TOKEN, which may write there; prints no token.
set -euo pipefail
tag=$1
commit=$(git subtree split -q --prefix=sdk/php HEAD)
# The credential comes by the environment, because arguments are in the list of processes.
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.extraHeader \
  GIT_CONFIG_VALUE_0="Authorization: Basic $(printf 'x-access-token:%s' "$PHP_REPOSITORY_TOKEN" | base64 --wrap=0)" \
  git push "$PHP_REPOSITORY" "$commit:refs/heads/main" "$commit:refs/tags/$tag"
