// Writes the code of the first steps: the tag, the token of a user and the first event, with the keys filled in.

import type { Json, JsonObject } from '../../../contract/json.ts'
import type { SecretKind } from '../../../contract/tenant.ts'
import { javaLiteral, javaScriptLiteral, jsonLiteral, phpLiteral } from './literals.ts'

export const LANGUAGES = [
  ['curl', 'curl'],
  ['node', 'Node'],
  ['java', 'Java'],
  ['php', 'PHP'],
] as const
export type Language = (typeof LANGUAGES)[number][0]

/** Where a key is not known to the page any more. */
const PLACEHOLDERS: Readonly<Record<SecretKind, string>> = {
  sdkSecretKey: 'YOUR_SDK_SECRET_KEY',
  authSecretKey: 'YOUR_AUTH_SECRET_KEY',
  frontApiKey: 'YOUR_FRONT_API_KEY',
  webhookSigningSecret: 'YOUR_WEBHOOK_SIGNING_SECRET',
}

export interface SnippetValues {
  /** The address of the service, without a slash at its end. */
  host: string
  keys: Partial<Readonly<Record<SecretKind, string>>>
  userId: string
}

export interface FirstEvent {
  name: string
  properties: JsonObject
}

const keyOf = ({ keys }: SnippetValues, kind: SecretKind): string => keys[kind] ?? PLACEHOLDERS[kind]

/** @returns A text in single quotation marks, as the shell reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export function tagSnippet(values: SnippetValues): string {
  return `<script src="${values.host}/widget/notification-center.js" async></script>
<notification-center api-key="${keyOf(values, 'frontApiKey')}" user-id="USER_ID" token="TOKEN"></notification-center>`
}

/** Prints the token of a user, which is valid for an hour. */
export function tokenSnippet(language: Language, values: SnippetValues): string {
  const { userId } = values
  switch (language) {
    case 'curl':
      return `ID=${quoted(userId)} AT=$(($(date +%s) + 3600))
HEX=$(printf 'v2\\n%s\\n%s' "$AT" "$ID" | openssl dgst -sha256 -hmac ${quoted(keyOf(values, 'authSecretKey'))} -r | cut -d' ' -f1)
echo "v2.$AT.$HEX"`
    case 'node':
      return `${nodeClient(values)}
console.log(client.generateHashedToken(${javaScriptLiteral(userId)}, { expiresAt: Date.now() + 3_600_000 }))`
    case 'java':
      return javaProgram(
        values,
        `System.out.println(client.generateHashedToken(${javaLiteral(userId)}, Instant.now().plus(Duration.ofHours(1))));`,
      )
    case 'php':
      return `${phpClient(values)}
echo $client->generateHashedToken(${phpLiteral(userId)}, expiresAt: time() + 3600), "\\n";`
  }
}

export function eventSnippet(language: Language, values: SnippetValues, { name, properties }: FirstEvent): string {
  const { host, userId } = values
  const sdkSecretKey = keyOf(values, 'sdkSecretKey')
  const event: Record<string, Json> = { name, userId, properties }
  switch (language) {
    case 'curl':
      return `curl ${quoted(`${host}/v1/events/track`)} \\
  -H ${quoted(`Authorization: Bearer ${sdkSecretKey}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${quoted(jsonLiteral({ sdkSecretKey, ...event }, '  '))}`
    case 'node':
      return `${nodeClient(values)}
const { eventId } = await client.track(${javaScriptLiteral(event)})
console.log(eventId)`
    case 'java':
      return javaProgram(
        values,
        `client.track(TrackEvent.named(${javaLiteral(name)}).userId(${javaLiteral(userId)})
        .properties(${javaLiteral(properties, '        ')}));`,
      )
    case 'php':
      return `${phpClient(values)}
echo $client->track(${phpLiteral(event)})->eventId, "\\n";`
  }
}

function nodeClient(values: SnippetValues): string {
  return `import { NotificationClient } from '@notification-center/node'

const client = new NotificationClient({
  authSecretKey: ${javaScriptLiteral(keyOf(values, 'authSecretKey'))},
  sdkSecretKey: ${javaScriptLiteral(keyOf(values, 'sdkSecretKey'))},
  baseUrl: ${javaScriptLiteral(values.host)},
})`
}

function javaProgram(values: SnippetValues, statement: string): string {
  return `import java.time.*;
import java.util.*;
import org.notificationcenter.*;

public class First {
  public static void main(String[] args) throws java.io.IOException {
    NotificationClient client = NotificationClient.builder()
        .authSecretKey(${javaLiteral(keyOf(values, 'authSecretKey'))})
        .sdkSecretKey(${javaLiteral(keyOf(values, 'sdkSecretKey'))})
        .baseUrl(${javaLiteral(values.host)}).build();
    ${statement}
  }
}`
}

function phpClient(values: SnippetValues): string {
  return `<?php

require 'vendor/autoload.php';

$client = new NotificationCenter\\NotificationClient(
  authSecretKey: ${phpLiteral(keyOf(values, 'authSecretKey'))},
  sdkSecretKey: ${phpLiteral(keyOf(values, 'sdkSecretKey'))},
  baseUrl: ${phpLiteral(values.host)},
);`
}

/** The packages that each language needs. */
export const INSTALLS: Readonly<Record<Language, string | undefined>> = {
  curl: undefined,
  node: 'npm install @notification-center/node',
  java: 'org.notificationcenter:notification-center:0.1.0',
  php: 'composer require notification-center/php',
}
