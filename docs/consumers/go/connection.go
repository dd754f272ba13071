package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

const startTimeout = 15 * time.Second

// connectionOptions reads brokers, TLS and SASL from the environment.
func connectionOptions() ([]kgo.Opt, error) {
	brokers := os.Getenv("KAFKA_BROKERS")
	if brokers == "" {
		return nil, errors.New("set KAFKA_BROKERS, for example to kafka-1:9092,kafka-2:9092")
	}
	options := []kgo.Opt{kgo.SeedBrokers(strings.Split(brokers, ",")...)}
	caFile := os.Getenv("KAFKA_TLS_CA_FILE")
	if os.Getenv("KAFKA_TLS") == "true" || caFile != "" {
		config := &tls.Config{MinVersion: tls.VersionTLS12}
		if caFile != "" {
			pem, err := os.ReadFile(caFile)
			if err != nil {
				return nil, fmt.Errorf("KAFKA_TLS_CA_FILE: %w", err)
			}
			config.RootCAs = x509.NewCertPool()
			if !config.RootCAs.AppendCertsFromPEM(pem) {
				return nil, errors.New("KAFKA_TLS_CA_FILE doesn't contain a PEM certificate")
			}
		}
		options = append(options, kgo.DialTLSConfig(config))
	}
	user := os.Getenv("KAFKA_SASL_USERNAME")
	if user == "" {
		return options, nil
	}
	password, err := saslPassword()
	if err != nil {
		return nil, err
	}
	scramAuth := scram.Auth{User: user, Pass: password}
	switch mechanism := os.Getenv("KAFKA_SASL_MECHANISM"); mechanism {
	case "", "plain":
		return append(options, kgo.SASL(plain.Auth{User: user, Pass: password}.AsMechanism())), nil
	case "scram-sha-256":
		return append(options, kgo.SASL(scramAuth.AsSha256Mechanism())), nil
	case "scram-sha-512":
		return append(options, kgo.SASL(scramAuth.AsSha512Mechanism())), nil
	default:
		return nil, fmt.Errorf("KAFKA_SASL_MECHANISM must be plain, scram-sha-256 or scram-sha-512 (got %q)", mechanism)
	}
}

func saslPassword() (string, error) {
	if file := os.Getenv("KAFKA_SASL_PASSWORD_FILE"); file != "" {
		password, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("KAFKA_SASL_PASSWORD_FILE: %w", err)
		}
		return strings.TrimRight(string(password), "\r\n"), nil
	}
	if password := os.Getenv("KAFKA_SASL_PASSWORD"); password != "" {
		return password, nil
	}
	return "", errors.New("set KAFKA_SASL_PASSWORD or KAFKA_SASL_PASSWORD_FILE")
}

// checkTopics returns an error if the brokers can't be reached or deny access, or if a topic doesn't exist. Without
// this check, the client would retry silently.
func checkTopics(ctx context.Context, client *kgo.Client, topics []string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := client.Ping(ctx); err != nil {
		return fmt.Errorf("can't connect to Kafka: %w (does it require KAFKA_TLS or KAFKA_SASL_USERNAME?)", err)
	}
	request := kmsg.NewPtrMetadataRequest()
	for _, topic := range topics {
		requested := kmsg.NewMetadataRequestTopic()
		requested.Topic = kmsg.StringPtr(topic)
		request.Topics = append(request.Topics, requested)
	}
	response, err := request.RequestWith(ctx, client)
	if err != nil {
		return err
	}
	for _, topic := range response.Topics {
		if err := kerr.ErrorForCode(topic.ErrorCode); err != nil {
			return fmt.Errorf("topic %s: %w", *topic.Topic, err)
		}
	}
	return nil
}

// isPermanent returns true for errors that a retry can't fix, such as a missing permission.
func isPermanent(err error) bool {
	for _, permanent := range []error{
		kerr.TopicAuthorizationFailed, kerr.GroupAuthorizationFailed, kerr.SaslAuthenticationFailed,
		kerr.UnsupportedSaslMechanism,
	} {
		if errors.Is(err, permanent) {
			return true
		}
	}
	return false
}
