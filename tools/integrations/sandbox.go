// Package sandbox serves vendors of an application in its tests, with Go's standard library alone: copy this file into the project.
//
//	vendor := sandbox.Start(t, "payments")
//	vendor.Call("POST", "/clock/advance", `{"duration": "32d"}`)
package sandbox

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Vendor is served at URL; Key is that of its API and of its control API.
type Vendor struct {
	URL string `json:"url"`
	Key string `json:"key"`
}

// Start serves a pack until the test ends.
func Start(t *testing.T, pack string) Vendor {
	t.Helper()
	start := os.Getenv("SANDBOX_COMMAND")
	if start == "" {
		start = "npx --yes @vendor-sandbox/sandbox"
	}
	args := append(strings.Fields(start), "serve", pack, "--port", "0", "--json", "--with-stdin")
	command := exec.Command(args[0], args[1:]...)
	command.Stderr = os.Stderr
	input, _ := command.StdinPipe()
	output, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { input.Close(); command.Wait() })
	var vendor Vendor
	line, _ := bufio.NewReader(output).ReadBytes('\n')
	if err := json.Unmarshal(line, &vendor); err != nil {
		t.Fatalf("no sandbox was started: %v", err)
	}
	return vendor
}

// Call calls the control API and gives the text of its response.
func (v Vendor) Call(method, path, body string) (string, error) {
	request, err := http.NewRequest(method, v.URL+"/__admin__"+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+v.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s: %s", response.Status, text)
	}
	return string(text), err
}
