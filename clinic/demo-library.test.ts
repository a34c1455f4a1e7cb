import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { activityInput } from '#contract/activity.ts';
import { formAxes, mainAxes, mainAxisOf } from '#contract/axes.ts';
import { nightNeeds } from '#contract/practices/night.ts';
import { videoIdOf } from '#contract/video.ts';
import { demoLibrary } from './demo-library.ts';

test('the sample library holds 30 practices that the forms would accept', () => {
  assert.equal(demoLibrary.length, 30);
  for (const practice of demoLibrary) activityInput.parse(practice);
});

test('the practices cover every axis of the form and all four lists', () => {
  assert.deepEqual(new Set(demoLibrary.map(({ axis }) => axis)), new Set([...formAxes, 'values']));
  const sizes = mainAxes.map((axis) => demoLibrary.filter((one) => mainAxisOf(one.axis) === axis).length);
  assert.deepEqual(sizes, [10, 6, 6, 8]);
});

test('some practices have a video, some a picture, some only text', () => {
  const withVideo = demoLibrary.filter(({ url }) => videoIdOf(url) !== undefined);
  const withPicture = demoLibrary.filter(({ image }) => image !== '');
  const textOnly = demoLibrary.filter((one) => !withVideo.includes(one) && !withPicture.includes(one));
  assert.ok(withVideo.length >= 10 && withPicture.length >= 5 && textOnly.length >= 8);
});

test('every need at night has a practice, and twelve practices have a length', () => {
  assert.deepEqual(new Set(demoLibrary.map(({ night }) => night).filter(Boolean)), new Set(nightNeeds));
  assert.equal(demoLibrary.filter(({ minutes }) => minutes !== null).length, 12);
});

test('every picture is a file of the clinic, and every text has three paragraphs or more', () => {
  for (const { title, image = '', content } of demoLibrary) {
    assert.ok(image === '' || existsSync(join(import.meta.dirname, '..', 'clinic', image)), title);
    assert.ok(content.split('\n\n').length >= 3, title);
  }
});
