/**
 * Asks the browser for the passkey when the button is pressed, and posts its proof with the form. The script reads and
 * sends nothing else.
 */
export const PASSKEY_SCRIPT = `"use strict";
const form = document.querySelector("form");
const options = JSON.parse(document.getElementById("options").value);
form.addEventListener("submit", async (event) => {
  if (form.proof.value !== "") return;
  event.preventDefault();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const proof = await navigator.credentials.get({ publicKey });
  form.proof.value = JSON.stringify(proof.toJSON());
  form.submit();
});
`;
