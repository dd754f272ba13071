// Prints enriched visits, one per line, and later changes to them. Requires Go 1.24 or later:
//
//	KAFKA_BROKERS=localhost:9092 GROUP_ID=my-service go run .
//
// connection.go reads TLS and SASL from the environment.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	enrichedTopic = "visits.enriched.v1"
	changedTopic  = "visits.changed.v1"
)

var topics = []string{enrichedTopic, changedTopic}

// enrichedVisit contains only the fields that this example uses. Your instance documents all of them at /docs/events.
type enrichedVisit struct {
	ID         string `json:"id"`
	OccurredAt string `json:"occurred_at"`
	Visit      struct {
		RequestPath string `json:"request_path"`
	} `json:"visit"`
	Identification struct {
		Result     string  `json:"result"`
		AgentToken *string `json:"agent_token"`
	} `json:"identification"`
}

type visitChange struct {
	Change        string        `json:"change"`
	ProjectID     string        `json:"project_id"`
	VisitID       *string       `json:"visit_id"`
	EnrichedVisit enrichedVisit `json:"enriched_visit"`
}

// seenIDs contains the IDs of recent visits. Only the first message about a visit counts, because a repeat may have a
// different identification.
type seenIDs struct {
	ids  map[string]struct{}
	ring []string
	next int
}

func newSeenIDs(limit int) *seenIDs {
	return &seenIDs{ids: make(map[string]struct{}, limit), ring: make([]string, limit)}
}

func (s *seenIDs) isRepeat(id string) bool {
	if _, ok := s.ids[id]; ok {
		return true
	}
	delete(s.ids, s.ring[s.next]) // the oldest
	s.ids[id] = struct{}{}
	s.ring[s.next] = id
	s.next = (s.next + 1) % len(s.ring)
	return false
}

func formatVisit(visit enrichedVisit) string {
	agent := "-"
	if visit.Identification.AgentToken != nil {
		agent = *visit.Identification.AgentToken
	}
	// Visitors choose the path. Quoting it keeps line breaks out of the output. Marshaling a string never fails.
	path, _ := json.Marshal(visit.Visit.RequestPath)
	return fmt.Sprintln(visit.OccurredAt, visit.Identification.Result, agent, string(path))
}

func handleVisit(visit enrichedVisit, seen *seenIDs) {
	if seen.isRepeat(visit.ID) {
		fmt.Println("repeat", visit.ID)
	} else {
		fmt.Print(formatVisit(visit))
	}
}

// handleChange applies a change. It overrides the visit, even if the visit arrives later.
func handleChange(event visitChange, seen *seenIDs) {
	if event.VisitID != nil {
		seen.isRepeat(*event.VisitID)
	}
	switch event.Change {
	case "reidentified":
		fmt.Print("changed ", formatVisit(event.EnrichedVisit))
	case "erased":
		fmt.Println("erased", *event.VisitID)
	case "project_removed":
		fmt.Println("removed", event.ProjectID)
	}
}

func handle(record *kgo.Record, seen *seenIDs) error {
	var visit enrichedVisit
	var change visitChange
	var err error
	if record.Topic == changedTopic {
		err = json.Unmarshal(record.Value, &change)
	} else {
		err = json.Unmarshal(record.Value, &visit)
	}
	if err != nil {
		return fmt.Errorf("%s, partition %d, offset %d: %w", record.Topic, record.Partition, record.Offset, err)
	}
	if record.Topic == changedTopic {
		handleChange(change, seen)
	} else {
		handleVisit(visit, seen)
	}
	return nil
}

// consume returns nil when the context is canceled.
func consume(ctx context.Context, client *kgo.Client) error {
	seen := newSeenIDs(100_000)
	for {
		fetches := client.PollRecords(ctx, 1_000)
		for _, fetchError := range fetches.Errors() {
			if errors.Is(fetchError.Err, context.Canceled) {
				return nil
			}
			if isPermanent(fetchError.Err) {
				return fetchError.Err
			}
			log.Printf("retrying partition %d: %v", fetchError.Partition, fetchError.Err)
		}
		for _, record := range fetches.Records() {
			if err := handle(record, seen); err != nil {
				return err
			}
		}
		// Commit the handled records even if the context has been canceled.
		commit, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		err := client.CommitUncommittedOffsets(commit)
		cancel()
		if err != nil {
			log.Printf("failed to commit, so messages may be repeated: %v", err)
		}
		client.AllowRebalance()
	}
}

func run(ctx context.Context) error {
	group := os.Getenv("GROUP_ID")
	if group == "" {
		return errors.New("set GROUP_ID to a name for your consumer group")
	}
	connection, err := connectionOptions()
	if err != nil {
		return err
	}
	client, err := kgo.NewClient(append(connection,
		kgo.WithLogger(kgo.BasicLogger(os.Stderr, kgo.LogLevelWarn, nil)),
		kgo.ConsumerGroup(group),
		kgo.ConsumeTopics(topics...),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.FetchMaxPartitionBytes(3*1024*1024),
		// Keep the assigned partitions until the polled records have been committed.
		kgo.DisableAutoCommit(),
		kgo.BlockRebalanceOnPoll(),
	)...)
	if err != nil {
		return err
	}
	defer client.CloseAllowingRebalance()
	if err := checkTopics(ctx, client, topics); err != nil {
		return err
	}
	log.Printf("reading %v as group %s", topics, group)
	return consume(ctx, client)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil && ctx.Err() == nil {
		log.Fatal(err)
	}
}
