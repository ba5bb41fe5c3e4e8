// Tests the document of a mail: its policy, and links that open a new tab.

import { expect, test } from 'vitest'
import { mailDocument } from './mail-document.ts'

test('no script runs, nothing is stored, and only pictures are loaded from elsewhere', () => {
  const { headers } = mailDocument('<p>Hello</p>')
  const policy = headers.get('content-security-policy')?.split('; ')
  expect(policy).toContain('sandbox allow-popups allow-popups-to-escape-sandbox')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain('img-src http: https: data:')
  expect(policy?.join()).not.toMatch(/allow-scripts|allow-same-origin|allow-top-navigation|script-src/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test.each([
  ['<!doctype html><html lang="en"><head><title>', '</title></head></html>'],
  ['<!DOCTYPE html>\n<html>\n<head>\n', '<meta charset="utf-8"></head></html>'],
  ['<!doctype html>', '<!-- <head> --><html><head></head></html>'],
  ['', '<p>Hello</p>'],
  ['', ''],
])('links of %s%s open a new tab', async (start, rest) => {
  const before = start.replace(/<title>$/, '')
  const html = await mailDocument(start + rest).text()
  expect(html.replace('<base target="_blank">', '')).toBe(start + rest)
  expect(html.indexOf('<base target="_blank">')).toBe(before.trimEnd().length)
})
